import { existsSync, readFileSync, realpathSync } from 'node:fs'

/** Where systemd looks for units, the first one first. */
const units = ['/etc', '/run', '/usr/lib'].map((folder) => `${folder}/systemd/system/soma.service`)

/**
 * An operator's command acts on the database of the systemd service that runs this folder: it takes that one's settings,
 * unless the operator names a database. Throws with one line where the caller may not read them.
 * @param {string} root
 * @returns {{ mayBuild: boolean, takeUser: () => void }} `takeUser` before the database is opened; root alone builds
 */
export function asService(root) {
  const file = units.find((each) => existsSync(each))
  const unit = file === undefined ? [] : entriesIn(readFileSync(file, 'utf8'))
  /** @param {string} name */
  const of = (name) => unit.findLast(([each]) => each === name)?.[1] ?? ''
  const isOurs = existsSync(of('WorkingDirectory')) && isSame(of('WorkingDirectory'), root)
  if (!isOurs || process.env.DATA_DIR || process.env.DATABASE_URL)
    return { mayBuild: true, takeUser: () => undefined }

  const user = userOf(of('User'))
  const caller = process.getuid?.()
  const command = `sudo npm run ${process.env.npm_lifecycle_event ?? 'admin'}`
  if (caller !== 0 && caller !== user.uid)
    throw new Error(`Only root and ${of('User')} may do this here. Run: ${command}`)
  const settings = new Map(unit.filter(([name]) => name === 'Environment').flatMap(settingsIn))
  const own = of('EnvironmentFile').replace(/^-/, '')
  if (existsSync(own))
    for (const [name, value] of entriesIn(readAs(own, command))) settings.set(name, value)
  for (const [name, value] of settings) process.env[name] ??= value
  return {
    mayBuild: caller === 0,
    takeUser() {
      if (caller !== 0) return
      process.umask(0o077)
      process.setgroups?.([user.gid])
      process.setgid?.(user.gid)
      process.setuid?.(user.uid)
    },
  }
}

/** @param {string} one @param {string} other */
const isSame = (one, other) => realpathSync(one) === realpathSync(other)

/** `NAME=value` of each line, without the quotes around a value. @param {string} text @returns {[string, string][]} */
const entriesIn = (text) =>
  text.split('\n').flatMap((line) => {
    const [, name, value = ''] = /^\s*([A-Za-z_]\w*)=(.*)$/.exec(line) ?? []
    return name ? [[name, value.trim().replace(/^(["'])(.*)\1$/, '$2')]] : []
  })

/** @param {[string, string]} line @returns {[string, string][]} */
const settingsIn = ([, text]) => entriesIn(text.split(/\s+/).join('\n'))

/** @param {string} file @param {string} command */
function readAs(file, command) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    throw new Error(
      `The service's settings are in ${file}, which you may not read. Run: ${command}`,
    )
  }
}

/** @param {string} name */
function userOf(name) {
  const users = readFileSync('/etc/passwd', 'utf8')
  const [, uid, gid] = new RegExp(`^${name}:[^:]*:(\\d+):(\\d+):`, 'm').exec(users) ?? []
  return { uid: Number(uid), gid: Number(gid) }
}
