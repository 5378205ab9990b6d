/** Posts a form with these headers and reports its progress, a share from 0 to 1. Rejects as `fetch` does. */
export type Upload = (
  url: string,
  form: FormData,
  signal: AbortSignal,
  sent: (share: number) => void,
  headers: Record<string, string>,
) => Promise<Response>

/** By XMLHttpRequest: `fetch` reports no progress of what it sends. */
export const uploadByXhr: Upload = (url, form, signal, sent, headers) =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const abort = () => request.abort()
    const fail = () => reject(new TypeError('Failed to send'))
    request.open('POST', url)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.upload.onprogress = ({ loaded, total }) => sent(total > 0 ? loaded / total : 0)
    request.upload.onload = () => sent(1)
    request.onload = () => resolve(responseOf(request, url))
    request.onerror = fail
    request.onabort = fail
    request.onloadend = () => signal.removeEventListener('abort', abort)
    signal.addEventListener('abort', abort, { once: true })
    if (signal.aborted) return fail()
    request.send(form)
  })

function responseOf(request: XMLHttpRequest, url: string): Response {
  const headers = new Headers()
  for (const line of request.getAllResponseHeaders().trim().split('\r\n')) {
    const at = line.indexOf(':')
    if (at > 0) headers.append(line.slice(0, at), line.slice(at + 1).trim())
  }
  const { status, responseText, responseURL } = request
  const response = new Response(status === 204 || status === 205 ? null : responseText, {
    status,
    headers,
  })
  const redirected = responseURL !== '' && responseURL !== new URL(url, location.href).href
  return redirected ? Object.defineProperty(response, 'redirected', { value: true }) : response
}
