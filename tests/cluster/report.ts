import type { Journal } from './load/journal.ts'

const seconds = (milliseconds: number | undefined) =>
  milliseconds === undefined ? '–' : (milliseconds / 1000).toFixed(1)

/** One line for each phase, and one for all. */
export function report({ phases, deliveries, violations }: Journal): string {
  const heads = [
    'phase',
    'length (s)',
    'first change after the fault (s)',
    'longest time without a change (s)',
    'changes',
    'reads',
    'failed requests',
    'calls interrupted',
    'streams ended',
    'resets',
  ]
  const lines = phases.map((phase) => [
    phase.name,
    seconds(phase.ended - phase.began),
    seconds(phase.recovery),
    seconds(phase.gap),
    `${phase.changes}`,
    `${phase.reads}`,
    [`${phase.failed}`, ...[...phase.failures].map(([why, count]) => `${why}: ${count}`)].join(
      '; ',
    ),
    `${phase.interrupted}`,
    `${phase.streamsEnded}`,
    `${phase.resets}`,
  ])
  const all = [...deliveries.values()]
  const approved = all.filter(({ statuses }) => statuses.at(-1) === 'Approved').length
  return [
    ...[heads, heads.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`),
    '',
    `${all.length} deliveries acknowledged, ${approved} of them approved and paid; ${violations.length} violations`,
    ...violations.slice(0, 30),
  ].join('\n')
}
