import type { ComponentProps } from 'react'

/** What no translator may change: codes, references, zones, phone numbers (R156). */
export const Verbatim = (props: ComponentProps<'span'>) => <span translate="no" {...props} />
