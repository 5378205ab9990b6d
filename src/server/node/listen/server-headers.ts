import type { MiddlewareHandler } from 'hono'
import { secureHeaders } from 'hono/secure-headers'

/** Headers of the library's defaults that this server does not send. */
export const unsentHeaders = {
  crossOriginResourcePolicy: false,
  originAgentCluster: false,
  strictTransportSecurity: false,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xFrameOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
} as const

/**
 * Headers of every response, of the API and of pages. A response's own headers take precedence.
 * `publicOrigin` decides whether browsers are told to use https alone.
 */
export const serverHeaders = (publicOrigin: string): MiddlewareHandler =>
  secureHeaders({
    ...unsentHeaders,
    overwrite: false,
    removePoweredBy: false,
    referrerPolicy: 'same-origin',
    strictTransportSecurity: publicOrigin.startsWith('https:') ? 'max-age=31536000' : false,
  })
