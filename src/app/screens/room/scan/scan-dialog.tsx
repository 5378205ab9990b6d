import { useEffect, useRef, useState } from 'react'
import type { Camera } from '#scan/camera.ts'
import { type ScanState, startScan } from '#scan/scan.ts'
import type { DeliveryRow } from '#store/rows.ts'
import { attempt } from '../../../browser/attempt.ts'
import { Button } from '../../../components/forms/button.tsx'
import { useSoma } from '../../../hooks/use-soma.ts'
import { FullScreen } from './full-screen.tsx'
import { judge, type Verdict } from './judge.ts'
import { showProved } from './right-code.tsx'
import { problemTexts, wrongTexts } from './scan-texts.ts'

type Props = { row: DeliveryRow; onClose: () => void }
type Wrong = Extract<Verdict, { is: 'wrong' }>

/** The camera's picture, in which the recipient's QR code is looked for and judged on this phone (R110). */
export default function ScanDialog({ row, onClose }: Props) {
  const [tries, setTries] = useState(0)
  const [state, setState] = useState<ScanState>({ is: 'asking' })
  const [wrong, setWrong] = useState<Wrong>()
  const video = useRef<HTMLVideoElement>(null)
  const onText = useJudge(row, setWrong, onClose)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another try starts the camera anew.
  useEffect(() => {
    if (!video.current) return
    return startScan({
      video: video.current,
      onState: setState,
      onText: (text) => onText.current(text),
    })
  }, [tries])
  return (
    <FullScreen title="Scan code" tone="black" onClose={onClose}>
      <div className="relative grid aspect-square w-full shrink-0 place-items-center rounded-card bg-white/10">
        <video
          ref={video}
          muted
          playsInline
          aria-label="Camera"
          className={`absolute inset-0 size-full rounded-card object-cover ${state.is === 'scanning' ? '' : 'invisible'}`}
        />
        {state.is === 'scanning' && <Frame isWrong={wrong !== undefined} />}
        {state.is === 'asking' && <p className="p-6 text-center">Allow the camera to scan.</p>}
        {state.is === 'problem' && (
          <div role="alert" className="grid gap-2 p-6 text-center">
            <strong className="text-xl">{problemTexts[state.problem].title}</strong>
            <p>{problemTexts[state.problem].text}</p>
          </div>
        )}
      </div>
      <div role="status" className="grid min-h-20 content-start gap-0.5 text-center">
        {wrong ? (
          <>
            <strong className="text-2xl text-[#ff9d8f]">Wrong code</strong>
            <span>{wrongTexts[wrong.why]}</span>
          </>
        ) : (
          state.is === 'scanning' && <span>Point the camera at the recipient's QR code.</span>
        )}
      </div>
      <div className="mt-auto grid gap-2">
        {state.is === 'scanning' && <TorchButton camera={state.camera} />}
        {state.is === 'problem' && (
          <Button look="gold" icon="retry" onClick={() => setTries(tries + 1)}>
            Retry
          </Button>
        )}
        <Button look="deep" icon="keyboard" onClick={onClose}>
          Type the digits instead
        </Button>
      </div>
    </FullScreen>
  )
}

/** Judges each code once; a right one is queued at once and said over the whole screen, in place of the scanner. */
function useJudge(row: DeliveryRow, onWrong: (wrong: Wrong) => void, onClose: () => void) {
  const { commands } = useSoma()
  const last = useRef<string>(undefined)
  const latest = useRef<(text: string) => Promise<void>>(async () => {})
  latest.current = async (text) => {
    if (text === last.current) return
    last.current = text
    const handoverHash = row.view.handoverHash ?? ''
    const verdict = await judge(text, { id: row.ID, handoverHash })
    if (verdict.is === 'wrong') {
      navigator.vibrate?.([60, 60, 60])
      return onWrong(verdict)
    }
    const isQueued = await attempt(
      'Error',
      () => commands.proveHandover(row.ID, verdict.secret),
      'Failed to update status',
    )
    // The same code may be tried again once the phone has room.
    if (!isQueued) last.current = undefined
    else {
      navigator.vibrate?.(200)
      showProved(row.ID)
      onClose()
    }
  }
  return latest
}

/** The corners in which the code belongs. */
function Frame({ isWrong }: { isWrong: boolean }) {
  const corner = `absolute size-10 ${isWrong ? 'border-[#ff9d8f]' : 'border-white'}`
  return (
    <span aria-hidden="true" className="pointer-events-none absolute inset-8">
      <span className={`${corner} top-0 left-0 rounded-tl-control border-t-4 border-l-4`} />
      <span className={`${corner} top-0 right-0 rounded-tr-control border-t-4 border-r-4`} />
      <span className={`${corner} bottom-0 left-0 rounded-bl-control border-b-4 border-l-4`} />
      <span className={`${corner} right-0 bottom-0 rounded-br-control border-r-4 border-b-4`} />
    </span>
  )
}

function TorchButton({ camera }: { camera: Camera }) {
  const [isOn, setOn] = useState(false)
  if (!camera.hasTorch) return null
  const toggle = () =>
    attempt(
      'Error',
      async () => {
        await camera.setTorch(!isOn)
        setOn(!isOn)
      },
      "The light didn't switch.",
    )
  return (
    <Button look="deep" aria-pressed={isOn} onClick={toggle}>
      {isOn ? 'Turn light off' : 'Turn light on'}
    </Button>
  )
}
