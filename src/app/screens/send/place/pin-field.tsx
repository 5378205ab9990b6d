import { useEffect, useRef, useState } from 'react'
import { pinOf, type TypedPlace } from '#domain/deliveries/places/place.ts'
import { Button } from '../../../components/forms/button.tsx'
import { Icon } from '../../../components/text/icon.tsx'
import { findPosition } from './find-position.ts'
import { distanceText, positionText } from './position-text.ts'

type Props = {
  place: TypedPlace | undefined
  onChange: (pin: Pick<TypedPlace, 'lat' | 'lng' | 'accuracy'>) => void
}

/** The pin of a place: where this phone is, when the person asks for it (R112). */
export function PinField({ place, onChange }: Props) {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const isMounted = useIsMounted()
  const pin = pinOf(place ?? {})

  const locate = async () => {
    if (busy) return
    setBusy(true)
    setProblem(undefined)
    const found = await findPosition(navigator.geolocation)
    // A request that has been sent meanwhile must not become a draft again.
    if (!isMounted()) return
    setBusy(false)
    if ('problem' in found) setProblem(positionText(found))
    else onChange(found)
  }

  return (
    <div className="grid gap-2">
      {pin ? (
        <AddedPin
          accuracy={place?.accuracy}
          onRemove={() => onChange({ lat: undefined, lng: undefined, accuracy: undefined })}
        />
      ) : (
        <Button look="edge" icon="pin" aria-disabled={busy} onClick={locate}>
          {busy ? 'Finding your position…' : 'Use my position'}
        </Button>
      )}
      <p className="text-sm text-soft">
        Only you, our admins and the driver who accepts can see the pin.
      </p>
      <p role="status" className="text-sm font-semibold text-red empty:hidden">
        {problem}
      </p>
    </div>
  )
}

function AddedPin({ accuracy, onRemove }: { accuracy?: number; onRemove: () => void }) {
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <Icon name="check" className="size-5 text-green" />
      <p role="status" className="min-w-[min(100%,8rem)] flex-1">
        <strong>Pin added</strong>
        {accuracy !== undefined && (
          <span className="text-soft"> · accurate to about {distanceText(accuracy)}</span>
        )}
      </p>
      <Button look="ghost" tight onClick={onRemove}>
        Remove pin
      </Button>
    </div>
  )
}

/** Whether the component still stands on the screen. */
function useIsMounted() {
  const isMounted = useRef(false)
  useEffect(() => {
    isMounted.current = true
    return () => {
      isMounted.current = false
    }
  }, [])
  return () => isMounted.current
}
