/** A ref: for whoever comes by a link to this section. */
export const scrollHere = (section: HTMLElement | null) => section?.scrollIntoView()
