import type { Page } from '@playwright/test'

/** Every colour of this theme, as it stands once no change of colour is under way. */
export async function inTheme(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  // With motion reduced every change is a transition of an instant, and not drawn before its end.
  await page.waitForFunction(() =>
    document.getAnimations().every(({ playState }) => playState !== 'running'),
  )
}
