import { product } from '#domain/product.ts'

export function Logo({ className = 'size-7' }: { className?: string }) {
  return (
    <svg aria-hidden="true" viewBox="0 0 32 32" className={`${className} shrink-0`}>
      <rect x="1" y="1" width="30" height="30" rx="9" fill="#0b6b45" />
      <path
        d="M8 21c4 0 4-10 8-10s4 10 8 10"
        fill="none"
        stroke="#f4b731"
        strokeWidth="3.4"
        strokeLinecap="round"
      />
      <circle cx="8" cy="21" r="2.6" fill="#fff" />
      <rect x="21.4" y="18.4" width="5.2" height="5.2" fill="#fff" transform="rotate(45 24 21)" />
    </svg>
  )
}

export function Brand() {
  return (
    <span
      translate="no"
      className="flex items-center gap-1.5 text-[1.375rem] font-extrabold tracking-tight"
    >
      <Logo />
      {product}
    </span>
  )
}
