import { steps } from './steps.ts'

/** Where the person is in the form; a step they have been to can be opened again. */
export function StepLine({ step, onOpen }: { step: number; onOpen: (step: number) => void }) {
  return (
    <ol
      aria-label={`Step ${step} of ${steps.length}`}
      className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,5rem),1fr))] gap-1.5"
    >
      {steps.map(({ name }, at) => {
        const isCurrent = at + 1 === step
        const isAhead = at + 1 > step
        return (
          <li key={name}>
            <button
              type="button"
              disabled={isAhead}
              aria-current={isCurrent ? 'step' : undefined}
              onClick={() => onOpen(at + 1)}
              className={`grid min-h-12 w-full content-center justify-items-start gap-1 text-left text-sm leading-tight font-semibold [overflow-wrap:anywhere] ${isAhead ? 'text-soft' : 'text-ink'}`}
            >
              <span
                aria-hidden="true"
                className={`h-1.5 w-full rounded-full ${isAhead ? 'bg-line' : 'bg-green'}`}
              />
              {at + 1}. {name}
            </button>
          </li>
        )
      })}
    </ol>
  )
}
