import { useEffect } from 'react'
import { copyText } from '#app/browser/device/clipboard.ts'
import { Dialog } from '#app/components/dialogs/dialog.tsx'
import { Button } from '#app/components/forms/button.tsx'
import { Empty } from '#app/components/text/empty.tsx'
import { type ReceivedText, useDemoState } from '../demo-context.ts'

/** All texts that were sent, newest first. */
export default function Inbox({ onClose }: { onClose: () => void }) {
  const { texts } = useDemoState()
  const newest = texts[0]?.id ?? 0
  useEffect(() => useDemoState.setState({ seen: newest }), [newest])
  return (
    <Dialog title="SMS inbox" onClose={onClose}>
      {texts.length === 0 ? (
        <Empty icon="chat" title="No texts yet">
          Sign up, change a phone number or forget a password: the code arrives here.
        </Empty>
      ) : (
        <ul className="grid gap-3">
          {texts.map((text) => (
            <Message key={text.id} text={text} />
          ))}
        </ul>
      )}
    </Dialog>
  )
}

function Message({ text: { to, owner, text, at } }: { text: ReceivedText }) {
  const code = /\b\d{6}\b/.exec(text)?.[0]
  return (
    <li className="card grid gap-2">
      <div className="flex flex-wrap justify-between gap-2 text-sm text-soft">
        <span>To {owner ? `${owner}, ${to}` : to}</span>
        <time dateTime={new Date(at).toISOString()}>{clock.format(at)}</time>
      </div>
      <p>{text}</p>
      {code && (
        <Button look="line" icon="copy" onClick={() => copyText(code, 'The code')}>
          Copy {code}
        </Button>
      )}
    </li>
  )
}

const clock = new Intl.DateTimeFormat('en-GH', { timeStyle: 'short' })
