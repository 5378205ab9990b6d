/** The lane of a person's reports about a delivery: they wait for little else that the person does with it. */
export const reportLane = (id: string): string => `issue:${id}`
