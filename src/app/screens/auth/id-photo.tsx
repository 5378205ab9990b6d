import { useEffect, useState } from 'react'
import { blockReload } from '../../browser/reload-guard.ts'
import { PhotoPicker } from '../../components/forms/photo-picker.tsx'
import { useSoma } from '../../hooks/use-soma.ts'
import { toast } from '../../shell/toasts.ts'

/** The ID's photo goes up at once: there is no account yet that could keep it in an outbox. */
export function IdPhoto(about: {
  url: string
  error?: string
  onUrl: (url: string) => void
  onPicked: (taken: Promise<boolean>) => unknown
}) {
  const { session } = useSoma()
  const [preview, setPreview] = useState<string>()
  useEffect(() => () => URL.revokeObjectURL(preview ?? ''), [preview])
  return (
    <PhotoPicker
      label="ID photo"
      hint="The front of your ID, all four corners visible."
      error={about.error}
      preview={
        preview ? (
          <img src={preview} alt="Your ID" className="h-44 w-full rounded-control object-cover" />
        ) : (
          // Uploaded before this page was loaded anew, it is shown to nobody but an admin.
          about.url !== '' && <p className="font-semibold">Your ID photo is uploaded.</p>
        )
      }
      onPicked={about.onPicked}
      onPhoto={async ({ bytes, type }) => {
        toast({
          title: 'Uploading photo...',
          text: 'Please wait while we upload your photo.',
          plain: true,
        })
        about.onUrl(await blockReload(session.uploadNow(bytes, type)))
        setPreview(URL.createObjectURL(new Blob([bytes], { type })))
        toast({ title: 'Photo uploaded!', text: 'Your ID photo is ready.' })
      }}
    />
  )
}
