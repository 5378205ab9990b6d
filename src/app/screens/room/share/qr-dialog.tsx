import { Dialog } from '../../../components/dialogs/dialog.tsx'
import { QrImage } from '../../../components/photo/qr-image.tsx'

/** The code as the driver scans it (R110), for a sender who is at the door too. */
export default function QrDialog(props: { text: string; code: string; onClose: () => void }) {
  const { text, code, onClose } = props
  return (
    <Dialog title="Show this to the driver" onClose={onClose}>
      <QrImage text={text} alt="QR code of this delivery" />
      <p className="text-center font-mono text-4xl font-extrabold tracking-[0.12em]">{code}</p>
    </Dialog>
  )
}
