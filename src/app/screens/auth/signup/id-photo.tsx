import { useEffect, useState } from 'react'
import { blockReload } from '../../../browser/update/reload-guard.ts'
import { PhotoPicker } from '../../../components/forms/photo-picker.tsx'
import { useSoma } from '../../../hooks/use-soma.ts'
import { toast } from '../../../toasts.ts'

/** Uploads the ID photo at once (R6): before the sign-up there is no account whose outbox could hold it. */
export function IdPhoto(props: {
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
      error={props.error}
      preview={
        preview ? (
          <img src={preview} alt="Your ID" className="h-44 w-full rounded-control object-cover" />
        ) : (
          // Uploaded before a reload: the bytes are gone, and the URL is readable by admins alone
          // (R55).
          props.url !== '' && <p className="font-semibold">Your ID photo is uploaded.</p>
        )
      }
      onPicked={props.onPicked}
      onPhoto={async ({ bytes, type }) => {
        toast({
          title: 'Uploading photo...',
          text: 'Please wait while we upload your photo.',
          plain: true,
        })
        props.onUrl(await blockReload(session.uploadNow(bytes, type)))
        setPreview(URL.createObjectURL(new Blob([bytes], { type })))
        toast({ title: 'Photo uploaded!', text: 'Your ID photo is ready.' })
      }}
    />
  )
}
