/** TypeScript's library does not declare the Shape Detection API. */
type Detector = { detect: (from: CanvasImageSource) => Promise<{ rawValue: string }[]> }
type DetectorClass = {
  new (options: { formats: string[] }): Detector
  getSupportedFormats: () => Promise<string[]>
}

/** The browser's own detector of QR codes, where it has one. */
export async function nativeDetector(): Promise<Detector | undefined> {
  const { BarcodeDetector } = globalThis as { BarcodeDetector?: DetectorClass }
  try {
    const formats = await BarcodeDetector?.getSupportedFormats()
    if (BarcodeDetector && formats?.includes('qr_code'))
      return new BarcodeDetector({ formats: ['qr_code'] })
  } catch {
    // Some phones name the class and have nothing behind it.
  }
  return undefined
}
