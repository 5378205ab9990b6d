import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { call } from '#contract/calls/call.ts'
import { photoForm, picture } from '../../../../helpers/pictures.ts'
import { admin, freePort } from '../../../../helpers/server/app-server.ts'
import { present } from '../../../../helpers/server/server.ts'
import { canRunSystemd, runUnit } from '../../../../helpers/systemd/enter.ts'

/* The unit of src/server/deploy under a real systemd, with the built server and its embedded PostgreSQL. */

const unit = join(import.meta.dirname, '../../../../../src/server/deploy/soma.service')

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

const statusLine = (pid: number, name: string) =>
  new RegExp(`^${name}:\\s*(.*)$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]

test.runIf(canRunSystemd())(
  'the service runs as its own user with no right beyond its folder, comes back after a crash, and stops with nothing left',
  async () => {
    const port = await freePort()
    const origin = `http://127.0.0.1:${port}`
    const service = await runUnit(unit, {
      PORT: `${port}`,
      PUBLIC_ORIGIN: origin,
      ADMIN_EMAIL: admin.email,
      ADMIN_PASSWORD: admin.password,
      BACKUP_DIR: '/var/backups/soma',
    })
    ends.push(service.end)
    const ready = () =>
      fetch(`${origin}/readyz`).then(
        ({ status }) => status,
        () => 0,
      )
    await expect.poll(ready).toBe(200)
    const ask = <O extends Parameters<typeof call>[2]>(op: O, about = {}) =>
      call((request) => fetch(request), `${origin}/api`, op, about)
    const { token } = present((await ask('login', { body: admin })).value) as { token: string }
    await ask('addZone', { token, body: { name: 'Far Away' } })
    const form = photoForm(await picture(), 'soma')
    const upload = await fetch(`${origin}/api/images/upload`, { method: 'POST', body: form })
    expect(upload.status).toBe(200)

    const pid = service.mainPid()
    expect(statusLine(pid, 'Uid')).not.toMatch(/^0\b/)
    expect(statusLine(pid, 'CapEff')).toBe('0000000000000000')
    expect(statusLine(pid, 'CapBnd')).toBe('0000000000000000')
    expect(statusLine(pid, 'NoNewPrivs')).toBe('1')
    expect(statusLine(pid, 'Seccomp')).toBe('2')
    // The mounts that its user can write, as the service sees them; /tmp is its own.
    const user = Number(statusLine(pid, 'Uid')?.split(/\s/)[0])
    const mounts = readFileSync(`/proc/${pid}/mountinfo`, 'utf8').trim().split('\n')
    const writable = mounts.flatMap((line) => {
      const [, , , , path = '', options = ''] = line.split(' ')
      if (!options.split(',').includes('rw')) return []
      // A mount that another one covers is not to be seen.
      const found = statSync(`/proc/${pid}/root${path}`, { throwIfNoEntry: false })
      const isOpen = found?.isDirectory() && (found.uid === user || (found.mode & 0o002) !== 0)
      return isOpen ? [path] : []
    })
    expect(writable.filter((path) => !/^\/(dev|run\/lock|tmp|var\/tmp)(\/|$)/.test(path))).toEqual([
      '/var/backups/soma',
      '/var/lib/soma',
    ])
    const daily = `${service.stateFolder()}/../../backups/soma`
    await expect.poll(() => readdirSync(daily).length).toBe(1)
    const state = service.stateFolder()
    expect(statSync(state).mode & 0o777).toBe(0o700)
    expect(readdirSync(state)).toEqual(expect.arrayContaining(['images', 'postgres.json']))

    const npm = (...args: string[]) => ['npm', '--prefix', '/opt/soma', '--silent', 'run', ...args]
    expect(service.run(...npm('admin', 'verify-ledger'))).toContain(
      'Database: /var/lib/soma, 0 deliveries',
    )
    expect(service.run(...npm('backup'))).toMatch(/^\/var\/lib\/soma\/backups\/.* 1 photos/m)
    expect(statSync(join(state, 'backups')).uid).toBe(user)
    const soma = ['setpriv', '--reuid', 'soma', '--regid', 'soma', '--init-groups']
    const asSoma = () => service.run(...soma, ...npm('backup'))
    expect(asSoma).toThrow('Run: sudo npm run backup')

    process.kill(pid, 'SIGKILL')
    await expect.poll(() => service.show('NRestarts')).toBe('1')
    await expect.poll(ready).toBe(200)
    const { zones } = present((await ask('zones')).value) as { zones: { Name: string }[] }
    expect(zones.map(({ Name }) => Name)).toContain('Far Away')
    expect(service.processes()).toBeGreaterThan(1)

    service.systemctl('stop', 'soma.service')
    expect(service.show('Result')).toBe('success')
    expect(service.show('ExecMainStatus')).toBe('0')
    expect(service.processes()).toBe(0)
    // It starts the database by itself.
    expect(service.run(...npm('admin', 'verify-ledger'))).toContain('Database: /var/lib/soma')
    expect(readdirSync(state)).not.toContain('postmaster.pid')
  },
)

test.runIf(canRunSystemd())('systemd finds nothing wrong with the unit', () => {
  const output = execFileSync('systemd-analyze', ['verify', unit], {
    encoding: 'utf8',
    stdio: 'pipe',
  })
  expect(output).toBe('')
})
