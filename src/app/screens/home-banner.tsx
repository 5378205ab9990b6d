import { useEffect, useState } from 'react'
import { product, times } from '#domain/product.ts'
import { Button, IconButton } from '../components/button.tsx'

/** Spec §3: the flag that the banner was dismissed, on this device alone. */
const flag = 'howItWorksDismissed'

/** Introduces the product half a second after a first visit opens (spec §4, Banner). */
export function Banner({ onLearn }: { onLearn: () => void }) {
  const [shown, setShown] = useState(false)
  useEffect(() => {
    if (localStorage.getItem(flag)) return
    const timer = setTimeout(() => setShown(true), times.bannerDelay)
    return () => clearTimeout(timer)
  }, [])
  const dismiss = () => {
    setShown(false)
    setTimeout(() => localStorage.setItem(flag, 'true'), times.bannerDismissal)
  }
  if (!shown) return null
  return (
    <aside
      aria-label="Introduction"
      className="flex items-center gap-2 rounded-card bg-gold-wash py-3 pr-1 pl-4 [animation:rise_.3s_ease-out]"
    >
      <div className="grid flex-1 gap-0.5">
        <strong>New to {product}?</strong>
        <span className="text-sm text-soft">Four steps, for senders and drivers</span>
      </div>
      <Button look="line" className="border-edge" onClick={onLearn}>
        Learn How
      </Button>
      <IconButton icon="close" label="Dismiss" onClick={dismiss} />
    </aside>
  )
}
