/** WebOTP's credential, which TypeScript's library does not declare. */
type OtpCredential = Credential & { code?: string }

/** The code of the SMS that arrives for this site; nothing where the browser has no WebOTP or the person says no. */
export async function smsCodeFor(signal: AbortSignal): Promise<string | undefined> {
  if (!('OTPCredential' in globalThis)) return undefined
  const options = { otp: { transport: ['sms'] }, signal } as CredentialRequestOptions
  const found: OtpCredential | null | undefined = await navigator.credentials
    .get(options)
    .catch(() => null)
  return found?.code
}
