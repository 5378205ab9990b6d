/**
 * The build of this app, server and client alike. It is raised with every change of the wire, so that a
 * server can ask for at least some build (`MIN_CLIENT_VERSION`).
 */
export const buildNumber = 14

/** Sent with every call but uploads. */
export const clientVersionHeader = 'x-client-version'

/** Sent with every response of our API: what lacks it may be a gateway's. */
export const serverVersionHeader = 'x-server-version'
