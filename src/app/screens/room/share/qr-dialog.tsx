import encode from 'qr'
import { useMemo } from 'react'
import { onWhite, qrOptions } from '#domain/deliveries/handover/qr-svg.ts'
import { Dialog } from '../../../components/dialogs/dialog.tsx'

/** The code as the driver scans it (R110), for a sender who is at the door too. */
export default function QrDialog(props: { text: string; code: string; onClose: () => void }) {
  const { text, code, onClose } = props
  const source = useMemo(() => {
    const svg = onWhite(encode(text, 'svg', qrOptions))
    return `data:image/svg+xml,${encodeURIComponent(svg)}`
  }, [text])
  return (
    <Dialog title="Show this to the driver" onClose={onClose}>
      <img
        src={source}
        alt="QR code of this delivery"
        width={320}
        height={320}
        className="mx-auto aspect-square w-full max-w-80 rounded-lg [color-scheme:only_light]"
      />
      <p className="text-center font-mono text-4xl font-extrabold tracking-[0.12em]">{code}</p>
    </Dialog>
  )
}
