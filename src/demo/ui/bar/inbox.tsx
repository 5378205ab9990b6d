import { useEffect, useState } from 'react'
import { copyText } from '#app/browser/device/clipboard.ts'
import { Dialog } from '#app/components/dialogs/dialog.tsx'
import { Button } from '#app/components/forms/button.tsx'
import { Empty } from '#app/components/text/empty.tsx'
import { shortPrice, toCedis } from '#domain/money.ts'
import { personas } from '../../simulation/personas.ts'
import { type Prompt, type ReceivedText, useDemo, useDemoState } from '../demo-context.ts'
import { PaymentChoice } from './payment-choice.tsx'

/** The prompts that wait for an answer and all texts that were sent, newest first. */
export default function Inbox({ onClose }: { onClose: () => void }) {
  const { texts, prompts } = useDemoState()
  const newest = texts[0]?.id ?? 0
  useEffect(() => useDemoState.setState({ seen: newest }), [newest])
  return (
    <Dialog title="SMS inbox" onClose={onClose}>
      {texts.length + prompts.length === 0 ? (
        <Empty icon="chat" title="No texts yet">
          Sign up, change a phone number or forget a password: the code arrives here.
        </Empty>
      ) : (
        <ul className="grid gap-3">
          {prompts.map((prompt) => (
            <PaymentPrompt key={prompt.reference} prompt={prompt} />
          ))}
          {texts.map((text) => (
            <Message key={text.id} text={text} />
          ))}
        </ul>
      )}
      <PaymentChoice />
    </Dialog>
  )
}

function PaymentPrompt({ prompt }: { prompt: Prompt }) {
  const { answerPrompt } = useDemo()
  const [busy, setBusy] = useState(false)
  const { reference, phone = '', pesewas, at } = prompt
  const answer = async (given: 'paid' | 'failed') => {
    setBusy(true)
    await answerPrompt(reference, given).finally(() => setBusy(false))
  }
  return (
    <li className="card grid gap-2">
      <Head to={phone} at={at} />
      <p>
        Approve {shortPrice(toCedis(pesewas))} on {phone}
      </p>
      <div className="flex flex-wrap gap-2 *:grow">
        <Button disabled={busy} onClick={() => answer('paid')}>
          Approve the prompt
        </Button>
        <Button look="line" disabled={busy} onClick={() => answer('failed')}>
          Fail it
        </Button>
      </div>
    </li>
  )
}

function Message({ text: { to, text, at } }: { text: ReceivedText }) {
  const code = /\b\d{6}\b/.exec(text)?.[0]
  return (
    <li className="card grid gap-2">
      <Head to={to} at={at} />
      <p>{text}</p>
      {code && (
        <Button look="line" icon="copy" onClick={() => copyText(code, 'The code')}>
          Copy {code}
        </Button>
      )}
    </li>
  )
}

/** Whose phone it is on, and since when. */
function Head({ to, at }: { to: string; at: number }) {
  const owner = Object.values(personas).find(({ phone }) => phone === to)?.name
  return (
    <div className="flex flex-wrap justify-between gap-2 text-sm text-soft">
      <span>To {owner ? `${owner}, ${to}` : to}</span>
      <time dateTime={new Date(at).toISOString()}>{clock.format(at)}</time>
    </div>
  )
}

const clock = new Intl.DateTimeFormat('en-GH', { timeStyle: 'short' })
