/** Reports that a promise is broken: its number, and what was seen. */
export type ReportFault = (rule: string, what: string) => void
