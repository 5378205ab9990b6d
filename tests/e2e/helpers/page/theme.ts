import type { Page } from '@playwright/test'

/** Switches to this colour scheme and waits until no colour transition is running. */
export async function inTheme(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  // With reduced motion every style change is an instant transition that is not drawn before its end.
  await page.waitForFunction(() =>
    document.getAnimations().every(({ playState }) => playState !== 'running'),
  )
}
