import { useState } from 'react'
import { product } from '#domain/product.ts'
import type { OpeningFailure } from '#sync/database/connection/opening.ts'
import { type OpeningProblem, problemOf } from '#sync/database/connection/opening-problem.ts'
import { updateOrReload } from '../../browser/update/update-now.ts'
import { Button } from '../../components/forms/button.tsx'
import { Kente } from '../../components/page/skeleton.tsx'

type Texts = { title: string; text: string; help: readonly string[] }

const texts: Record<OpeningProblem['is'], Texts> = {
  forbidden: {
    title: `${product} can’t save anything here`,
    text: 'Requests and codes are kept in the storage of your browser, so that they work without signal. This browser does not allow it.',
    help: [
      'In a private or incognito window: open a normal one.',
      'If cookies or site data are blocked: allow them for this site in the browser’s settings.',
      'Inside another app, such as a chat: open the link in Chrome, Firefox or Safari.',
    ],
  },
  blocked: {
    title: `Another tab keeps ${product} from opening`,
    text: 'What you saved is safe.',
    help: [
      `Close the other tabs and windows of ${product}.`,
      'If that does not help: close the browser and open it again.',
    ],
  },
  newer: {
    title: 'Update to continue',
    text: 'A newer version of this app has saved data on this phone. What you saved is safe.',
    help: [`If it does not open: close all tabs of ${product}, then open it while you are online.`],
  },
  full: {
    title: 'This phone is full',
    text: 'There is no room left to open what you saved. What is not sent yet is safe.',
    help: ['Delete photos, videos or apps you do not need, then try again.'],
  },
  failed: {
    title: 'What you saved could not be opened',
    text: 'Nothing was deleted.',
    help: [
      `Close all tabs of ${product}, then try again.`,
      'Restart the phone.',
      'Check that the phone has room left.',
    ],
  },
}

/** Shown in place of the app while its database cannot be opened. */
export default function StorageProblem({ failure }: { failure: OpeningFailure }) {
  const { is, error } = problemOf(failure)
  const { title, text, help } = texts[is]
  return (
    <div className="pt-[env(safe-area-inset-top)]">
      <Kente />
      <main className="mx-auto grid max-w-md gap-4 p-6 pt-10">
        <div role="alert" className="grid gap-2">
          <h1>{title}</h1>
          <p className="text-soft">{text}</p>
        </div>
        <h2>What helps</h2>
        <ul className="grid list-disc gap-2 pl-5">
          {help.map((each) => (
            <li key={each}>{each}</li>
          ))}
        </ul>
        {is === 'newer' ? (
          <UpdateButton />
        ) : (
          <Button icon="retry" onClick={() => location.reload()}>
            Try again
          </Button>
        )}
        {error && <p className="text-sm text-soft">For support: {error}</p>}
      </main>
    </div>
  )
}

function UpdateButton() {
  const [isBusy, setIsBusy] = useState(false)
  const update = () => {
    setIsBusy(true)
    void updateOrReload()
  }
  return (
    <Button icon="retry" disabled={isBusy} onClick={update}>
      {isBusy ? 'Updating…' : 'Update'}
    </Button>
  )
}
