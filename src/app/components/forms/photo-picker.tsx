import { type ReactNode, useId, useRef, useState } from 'react'
import { attempt } from '../../browser/attempt.ts'
import { resizeImage } from '../../browser/photos/resize-image.ts'
import { blockReload } from '../../browser/update/reload-guard.ts'
import { Button } from './button.tsx'

type Photo = { bytes: ArrayBuffer; type: string }

/**
 * Takes a photo with the camera or picks one. `onPhoto` resolves once the bytes are stored. `beforeOpen`
 * runs before the camera opens, because a phone low on memory may kill the page meanwhile. `onPicked` gets
 * a promise of whether the photo was accepted, which never rejects.
 */
export function PhotoPicker(props: {
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
    const taken = blockReload(acceptFile(file, props.onPhoto))
    props.onPicked?.(taken)
    await taken
    setWorking(false)
  }
  return (
    <fieldset className="grid gap-2" aria-describedby={props.error ? `${id}-error` : undefined}>
      <legend className="mb-1.5 text-sm font-semibold">{props.label}</legend>
      {working ? (
        <div
          className="skeleton h-44 rounded-control"
          role="status"
          aria-label="Preparing the photo"
        />
      ) : (
        props.preview
      )}
      <div className="flex flex-wrap gap-2 *:flex-auto">
        <FileButton
          label="Take photo"
          icon="camera"
          capture
          subject={props.label}
          onOpen={props.beforeOpen}
          onFile={pick}
          disabled={working}
        />
        <FileButton
          label="Choose photo"
          icon="picture"
          subject={props.label}
          onOpen={props.beforeOpen}
          onFile={pick}
          disabled={working}
        />
      </div>
      {props.hint && <p className="text-sm text-soft">{props.hint}</p>}
      {props.error && (
        <p id={`${id}-error`} className="text-sm font-semibold text-red">
          {props.error}
        </p>
      )}
    </fieldset>
  )
}

function FileButton(props: {
  label: string
  icon: 'camera' | 'picture'
  subject: string
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
        icon={props.icon}
        tight
        className="text-[0.8125rem]"
        disabled={props.disabled}
        onClick={() => {
          props.onOpen?.()
          input.current?.click()
        }}
      >
        {props.label}
      </Button>
      <input
        ref={input}
        type="file"
        accept="image/*"
        capture={props.capture ? 'environment' : undefined}
        aria-label={`${props.subject}: ${props.label}`}
        disabled={props.disabled}
        tabIndex={-1}
        className="sr-only"
        onChange={(event) => {
          const file = event.target.files?.[0]
          event.target.value = ''
          void props.onFile(file)
        }}
      />
    </>
  )
}

/** Resolves to whether the file became a photo; when it did not, a toast has said why. */
export const acceptFile = (
  file: Blob,
  onPhoto: (photo: Photo) => Promise<unknown>,
): Promise<boolean> =>
  attempt(
    'Upload Failed',
    async () => onPhoto(await resizeImage(file)),
    'Failed to upload photo. Please try again.',
  )
