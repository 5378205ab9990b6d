/** A parcel of 40 × 40 units, for use inside another SVG. */
export function ParcelShape() {
  return (
    <>
      <path d="M6 13 20 6l14 7v15l-14 7-14-7z" fill="#f4b731" />
      <path d="M20 20v15l14-7V13z" fill="#d99a1b" />
      <path
        d="M6 13l14 7 14-7M20 20v15"
        fill="none"
        stroke="#14201a"
        strokeWidth="1.8"
        strokeLinejoin="round"
      />
      <path
        d="M13 9.5l14 7v6"
        fill="none"
        stroke="#b9431f"
        strokeWidth="3"
        strokeLinejoin="round"
      />
    </>
  )
}

export function Parcel({ className = 'size-11' }: { className?: string }) {
  return (
    <svg aria-hidden="true" viewBox="0 0 40 40" className={className}>
      <ParcelShape />
    </svg>
  )
}
