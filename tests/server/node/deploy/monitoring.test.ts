import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, inject, test } from 'vitest'
import { endpoints } from '#contract/endpoints.ts'
import { prometheusMetrics } from '#server/node/metrics.ts'
import { openPostgres } from '#server/postgres/open-postgres.ts'

/* The dashboard and the alert rules ask for metrics that the server has. */

const project = join(import.meta.dirname, '../../../..')
const deployed = join(project, 'src/server/deploy')
const read = (path: string) => readFileSync(join(project, path), 'utf8')

type Panel = {
  id: number
  type: string
  title: string
  gridPos: { x: number; y: number; w: number; h: number }
  targets?: { expr: string }[]
}
const dashboard: { panels: Panel[] } = JSON.parse(
  readFileSync(join(deployed, 'grafana-dashboard.json'), 'utf8'),
)
const alerts = [
  ...read('src/server/deploy/alerts.yaml').matchAll(/- alert: (\w+)\n([\s\S]*?)(?=\n\n|$)/g),
].map(([, name = '', body = '']) => ({
  name,
  body,
  expr: (/expr: (?:>-\n)?([\s\S]*?)\n {8}\w+:/.exec(`${body}\n`)?.[1] ?? '')
    .replace(/\s+/g, ' ')
    .trim(),
}))
const expressions = [
  ...dashboard.panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }) => [title, expr.replaceAll('$job', 'soma')] as const),
  ),
  ...alerts.map(({ name, expr }) => [name, expr] as const),
]

/** The series that the server has, as a query names them. */
const known = new Set(['up'])
beforeAll(async () => {
  const repo = openPostgres(inject('postgresUrl'))
  const { body } = await prometheusMetrics({ pool: repo.pool, smsDaily: 1 }).text()
  await repo.close()
  for (const [, name = '', type] of body.matchAll(/^# TYPE (\w+) (\w+)$/gm)) {
    known.add(name)
    if (type === 'histogram')
      for (const part of ['bucket', 'sum', 'count']) known.add(`${name}_${part}`)
  }
})

const functions =
  /^(sum|min|max|count|rate|absent|by|le|or|and|histogram_quantile|label_replace|min_over_time|predict_linear|time)$/

/** The names in an expression that are neither functions nor labels. */
function seriesIn(expr: string): string[] {
  const bare = expr
    .replace(/"[^"]*"/g, '')
    .replace(/\{[^}]*\}/g, '')
    .replace(/\bby \([^)]*\)/g, '')
    .replace(/\[\w+\]/g, '')
    .replace(/\b\d\w*/g, '')
  return [...bare.matchAll(/[a-z_]\w*/gi)]
    .map(([name]) => name)
    .filter((name) => !functions.test(name))
}

test('there are expressions to check', () => {
  expect(expressions.length).toBeGreaterThan(30)
  expect(alerts.length).toBe(read('src/server/deploy/alerts.yaml').split('- alert:').length - 1)
})

test.each(expressions)('%s: every series of %s is one of the server', (_, expr) => {
  expect(seriesIn(expr).length).toBeGreaterThan(0)
  expect(seriesIn(expr).filter((name) => !known.has(name))).toEqual([])
  for (const [open, close] of ['()', '{}', '[]'])
    expect(expr.split(open ?? '').length).toBe(expr.split(close ?? '').length)
})

test('calls and checks that they name exist', () => {
  const text = expressions.map(([, expr]) => expr).join('\n')
  const named = [...text.matchAll(/\bop!?~?"?=?~?"([^"]*)"/g)].flatMap(([, ops = '']) =>
    ops.split('|'),
  )
  const ops = [...Object.keys(endpoints), 'batch', 'photo', 'uploadPhoto']
  expect(named.length).toBeGreaterThan(0)
  expect(named.filter((op) => !ops.includes(op))).toEqual([])
  const checks = [...text.matchAll(/\bcheck!?="(\w+)"/g)].map(([, check]) => check)
  expect(new Set(checks)).toEqual(new Set(['uploads']))
})

test('each panel of the dashboard has an ID of its own and a place of its own', () => {
  const ids = dashboard.panels.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  const cells = dashboard.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, at) => `${x + (at % w)} ${y + Math.floor(at / w)}`),
  )
  expect(new Set(cells).size).toBe(cells.length)
  expect(cells.every((cell) => Number(cell.split(' ')[0]) < 24)).toBe(true)
})

test('each alert is explained in src/OPERATIONS.md, and no other', () => {
  const explained = [...read('src/OPERATIONS.md').matchAll(/^\| `(Soma\w+)`/gm)].map(
    ([, name]) => name,
  )
  expect(explained).toEqual(alerts.map(({ name }) => name))
  for (const { body } of alerts) {
    expect(body).toMatch(/severity: (page|ticket)/)
    expect(body).toMatch(/summary: .+/)
  }
})

test.runIf(spawnSync('promtool', ['--version']).status === 0)(
  'Prometheus takes every expression',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'soma-rules-'))
    const rules = expressions.map(
      ([, expr], at) => `      - record: r${at}\n        expr: ${JSON.stringify(expr)}`,
    )
    const file = join(folder, 'rules.yaml')
    writeFileSync(file, `groups:\n  - name: all\n    rules:\n${rules.join('\n')}\n`)
    for (const checked of [file, join(deployed, 'alerts.yaml')]) {
      const { status, stderr } = spawnSync('promtool', ['check', 'rules', checked], {
        encoding: 'utf8',
      })
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    }
    rmSync(folder, { recursive: true })
  },
)
