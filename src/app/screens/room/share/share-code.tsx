import { Suspense, useState } from 'react'
import type { Delivery } from '#domain/deliveries/delivery.ts'
import { note } from '#sync/database/device/diagnostics.ts'
import { inDemo } from '../../../browser/base-url.ts'
import { copyText } from '../../../browser/device/clipboard.ts'
import { Button, buttonClass } from '../../../components/forms/button.tsx'
import { lazyPart } from '../../../components/page/lazy-part.tsx'
import { Icon } from '../../../components/text/icon.tsx'
import { linkOf, messageLinks, messageTo } from './share-texts.ts'

const QrDialog = lazyPart(() => import('./qr-dialog.tsx'))

/** The ways in which the recipient gets the digits and, where this phone drew the secret, the link (R110). */
export function ShareCode(props: { view: Delivery; code: string; secret: string | undefined }) {
  const { view, code, secret } = props
  const [isShown, setShown] = useState(false)
  const qr = linkOf(view, secret, location.origin)
  const link = inDemo ? undefined : qr
  const message = messageTo(view, link)
  const { whatsapp, sms } = messageLinks(view.recipientPhone ?? '', message)
  return (
    <>
      <div className="flex flex-wrap gap-2 *:flex-1">
        <a
          className={buttonClass('gold', '', true)}
          href={whatsapp}
          target="_blank"
          rel="noreferrer"
        >
          <Icon name="chat" className="size-5" />
          WhatsApp
        </a>
        <Button look="deep" tight icon="copy" onClick={() => copyText(code, 'The delivery code')}>
          Copy
        </Button>
        {typeof navigator.share === 'function' && (
          <Button
            look="deep"
            tight
            icon="share"
            // Rejects when the person closes the share sheet, too.
            onClick={() =>
              navigator
                .share({ text: message })
                .catch((error: unknown) => note('The code was not shared', { error }))
            }
          >
            Share
          </Button>
        )}
        <a className={buttonClass('deep', '', true)} href={sms}>
          SMS
        </a>
        {link && (
          <Button look="deep" tight onClick={() => copyText(link, "The recipient's link")}>
            Copy link
          </Button>
        )}
        {qr && (
          <Button look="deep" tight onClick={() => setShown(true)}>
            Show QR
          </Button>
        )}
      </div>
      {isShown && qr && (
        <Suspense>
          <QrDialog text={qr} code={code} onClose={() => setShown(false)} />
        </Suspense>
      )}
    </>
  )
}
