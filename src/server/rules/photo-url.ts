/** Whether a photo's URL lies with the image provider (spec §5). `host` is an origin, or begins with one. */
export function isHostedPhoto(url: string | undefined, host: string): boolean {
  if (!url?.startsWith(`${host.replace(/\/+$/, '')}/`)) return false
  return URL.canParse(url) && new URL(url).origin === new URL(host).origin
}
