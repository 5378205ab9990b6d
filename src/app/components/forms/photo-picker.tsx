import { type ReactNode, useId, useRef, useState } from 'react'
import { attempt } from '../../browser/attempt.ts'
import { blockReload } from '../../browser/reload-guard.ts'
import { NotAnImageError, resizeImage } from '../../browser/resize-image.ts'
import { toast } from '../../shell/toasts.ts'
import { Button } from './button.tsx'

type Photo = { bytes: ArrayBuffer; type: string }

/**
 * Camera or gallery. `onPhoto` resolves once the bytes are where they belong; `beforeOpen` runs
 * before the camera opens, which may kill the page on a cheap phone. `onPicked` gets the work on a
 * picked photo as it begins; it resolves to whether the photo was taken, and never rejects.
 */
export function PhotoPicker(about: {
  label: string
  hint?: string
  error?: string
  preview?: ReactNode
  beforeOpen?: () => unknown
  onPhoto: (photo: Photo) => Promise<unknown>
  onPicked?: (taken: Promise<boolean>) => unknown
}) {
  const [working, setWorking] = useState(false)
  const id = useId()
  const pick = async (file: File | undefined) => {
    if (!file) return
    setWorking(true)
    const taken = blockReload(acceptFile(file, about.onPhoto))
    about.onPicked?.(taken)
    await taken
    setWorking(false)
  }
  return (
    <fieldset className="grid gap-2" aria-describedby={about.error ? `${id}-error` : undefined}>
      <legend className="mb-1.5 text-sm font-semibold">{about.label}</legend>
      {working ? (
        <div
          className="skeleton h-44 rounded-control"
          role="status"
          aria-label="Preparing the photo"
        />
      ) : (
        about.preview
      )}
      <div className="flex flex-wrap gap-2 *:flex-auto">
        <FileButton
          label="Take photo"
          icon="camera"
          capture
          about={about.label}
          onOpen={about.beforeOpen}
          onFile={pick}
          disabled={working}
        />
        <FileButton
          label="Choose photo"
          icon="picture"
          about={about.label}
          onOpen={about.beforeOpen}
          onFile={pick}
          disabled={working}
        />
      </div>
      {about.hint && <p className="text-sm text-soft">{about.hint}</p>}
      {about.error && (
        <p id={`${id}-error`} className="text-sm font-semibold text-clay">
          {about.error}
        </p>
      )}
    </fieldset>
  )
}

function FileButton(about: {
  label: string
  icon: 'camera' | 'picture'
  about: string
  capture?: boolean
  disabled: boolean
  onOpen?: () => unknown
  onFile: (file: File | undefined) => unknown
}) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button
        look="line"
        icon={about.icon}
        tight
        className="text-[0.8125rem]"
        disabled={about.disabled}
        onClick={() => {
          about.onOpen?.()
          input.current?.click()
        }}
      >
        {about.label}
      </Button>
      <input
        ref={input}
        type="file"
        accept="image/*"
        capture={about.capture ? 'environment' : undefined}
        aria-label={`${about.about}: ${about.label}`}
        disabled={about.disabled}
        tabIndex={-1}
        className="sr-only"
        onChange={(event) => {
          const file = event.target.files?.[0]
          event.target.value = ''
          void about.onFile(file)
        }}
      />
    </>
  )
}

/** Resolves to whether the file became a photo; when it did not, a toast has said why. */
async function acceptFile(
  file: File,
  onPhoto: (photo: Photo) => Promise<unknown>,
): Promise<boolean> {
  let isPhoto = true
  const done = await attempt(
    'Upload Failed',
    async () => {
      try {
        await onPhoto(await resizeImage(file))
      } catch (error) {
        if (!(error instanceof NotAnImageError)) throw error
        isPhoto = false
        toast({
          title: 'Upload Failed',
          text: 'That file is not a photo we can use.',
          destructive: true,
        })
      }
    },
    'Failed to upload photo. Please try again.',
  )
  return done && isPhoto
}
