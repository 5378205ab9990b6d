import { useEffect, useState } from 'react'
import { product, times } from '#domain/product.ts'
import { storagePrefix } from '../../browser/base-url.ts'
import { Button, IconButton } from '../../components/forms/button.tsx'

/** The local-storage flag that the banner was dismissed on this device. */
const flag = `${storagePrefix}howItWorksDismissed`

/** Introduces the product on a first visit (R82). Its place is kept from the start: nothing below it moves. */
export function Banner({ onLearn }: { onLearn: () => void }) {
  const [state, setState] = useState(() => (localStorage.getItem(flag) ? 'dismissed' : 'coming'))
  useEffect(() => {
    if (state !== 'coming') return
    const timer = setTimeout(() => setState('shown'), times.bannerDelay)
    return () => clearTimeout(timer)
  }, [state])
  const dismiss = () => {
    setState('dismissed')
    setTimeout(() => localStorage.setItem(flag, 'true'), times.bannerDismissal)
  }
  if (state === 'dismissed') return null
  return (
    <aside
      aria-label="Introduction"
      className={`${state === 'coming' ? 'invisible' : '[animation:rise_.18s_ease-out]'} grid grid-cols-[1fr_auto] items-center gap-2 rounded-card bg-gold-wash p-4 pt-2 pr-1 sm:grid-cols-[1fr_auto_auto] sm:pb-2`}
    >
      <div className="grid gap-0.5 pt-2 sm:pt-0">
        <strong>New to {product}?</strong>
        <span className="text-sm text-soft">See how it works in 4 steps</span>
      </div>
      <Button
        look="edge"
        className="order-last col-span-2 mr-3 sm:order-none sm:col-span-1"
        onClick={onLearn}
      >
        Learn How
      </Button>
      <IconButton icon="close" label="Dismiss" onClick={dismiss} />
    </aside>
  )
}
