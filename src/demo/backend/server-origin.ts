/** A reserved name (RFC 2606): a request that leaves the page by mistake reaches nobody. */
export const serverOrigin = 'https://soma.invalid'
