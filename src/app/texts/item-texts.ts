import type { ItemDetails, ItemSize } from '#domain/deliveries/item.ts'

export const sizeTexts: Record<ItemSize, string> = {
  small: 'Small',
  medium: 'Medium',
  large: 'Large',
}

/** Size and "Fragile" in a few words; empty where neither was said (R160). */
export const handlingText = ({ size, fragile }: ItemDetails): string =>
  [size && sizeTexts[size], fragile && 'Fragile'].filter(Boolean).join(' · ')
