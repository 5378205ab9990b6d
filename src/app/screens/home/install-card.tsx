import { useState, useSyncExternalStore } from 'react'
import { product } from '#domain/product.ts'
import { storagePrefix } from '../../browser/base-url.ts'
import {
  forgetInstallPrompt,
  installPrompt,
  onInstallPrompt,
} from '../../browser/device/install-prompt.ts'
import { isInstalled, isIos } from '../../browser/device/notifications.ts'
import { Dialog } from '../../components/dialogs/dialog.tsx'
import { Button } from '../../components/forms/button.tsx'
import { Logo } from '../../components/page/logo.tsx'

/** The local-storage flag that the card was dismissed on this device. */
const flag = `${storagePrefix}installDismissed`

/** Offers to put the app on the home screen, to somebody who has used it. iPhones install by hand. */
export default function InstallCard() {
  const prompt = useSyncExternalStore(onInstallPrompt, installPrompt)
  const [isDismissed, setIsDismissed] = useState(() => localStorage.getItem(flag) !== null)
  const [isShowingSteps, setIsShowingSteps] = useState(false)
  const byHand = isIos()
  if (isDismissed || isInstalled() || !(prompt || byHand)) return null
  const dismiss = () => {
    localStorage.setItem(flag, 'true')
    setIsDismissed(true)
  }
  const install = async () => {
    if (!prompt) return setIsShowingSteps(true)
    await prompt.prompt()
    const { outcome } = await prompt.userChoice
    forgetInstallPrompt()
    if (outcome === 'dismissed') dismiss()
  }
  return (
    <section className="card grid gap-3" aria-labelledby="install">
      <div className="grid grid-cols-[auto_1fr] items-center gap-3">
        <Logo className="size-12" />
        <div className="grid gap-0.5">
          <h2 id="install">Add {product} to your home screen</h2>
          <p className="text-sm text-soft">
            Opens with one tap, also without signal. Takes less than 1 MB.
          </p>
        </div>
      </div>
      <div className="flex flex-wrap gap-2 *:flex-auto">
        <Button onClick={install}>{byHand ? 'Show me how' : 'Install'}</Button>
        <Button look="line" onClick={dismiss}>
          Not now
        </Button>
      </div>
      {isShowingSteps && <IosSteps onClose={() => setIsShowingSteps(false)} />}
    </section>
  )
}

const steps = [
  'Tap Share at the bottom of Safari: the square with an arrow.',
  'Scroll down and tap “Add to Home Screen”.',
  'Tap “Add”. Open the app from its icon, and log in once more.',
]

function IosSteps({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Add to Home Screen" onClose={onClose}>
      <ol className="grid gap-3">
        {steps.map((step, at) => (
          <li key={step} className="grid grid-cols-[auto_1fr] items-center gap-3">
            <span className="grid size-8 place-items-center rounded-full bg-green-wash font-bold text-green">
              {at + 1}
            </span>
            {step}
          </li>
        ))}
      </ol>
      <Button onClick={onClose}>Got it</Button>
    </Dialog>
  )
}
