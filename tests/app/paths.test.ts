import { describe, expect, it } from 'vitest'
import type { Role, User } from '#domain/users/user.ts'
import {
  brandPath,
  hasBars,
  landing,
  redirectFor,
  tabsFor,
  type Visitor,
  visitorOf,
  visitors,
} from '../../src/app/paths.ts'

const stays = undefined
type Row = Record<Visitor, string | undefined>
const everybody = (to: string | undefined): Row => ({
  guest: to,
  sender: to,
  driver: to,
  approvedDriver: to,
  admin: to,
  user: to,
})

/** Where each visitor of a path is redirected (R3). */
const routes: Record<string, Row> = {
  '/': everybody(stays),
  '/send': everybody(stays),
  '/drive': everybody(stays),
  '/auth': everybody(stays),
  '/outbox': everybody(stays),
  '/deliveries': everybody(stays),
  '/delivery/0190': everybody(stays),
  '/driver-pending': { ...everybody('/'), guest: '/auth', driver: stays, approvedDriver: '/drive' },
  '/profile': { ...everybody(stays), guest: '/auth' },
  '/admin': { ...everybody('/'), guest: '/auth', admin: stays },
  '/admin/deliveries': { ...everybody('/'), guest: '/auth', admin: stays },
  '/admin/drivers': { ...everybody('/'), guest: '/auth', admin: stays },
  '/admin/users': { ...everybody('/'), guest: '/auth', admin: stays },
  '/admin/disputes': { ...everybody('/'), guest: '/auth', admin: stays },
  '/admin/settings': { ...everybody('/'), guest: '/auth', admin: stays },
  '/administrators': everybody(stays),
  '/profiles': everybody(stays),
}

describe('R3: who reaches which screen', () => {
  for (const [path, row] of Object.entries(routes))
    for (const visitor of visitors)
      it(`${path} ${row[visitor] ? `sends a ${visitor} to ${row[visitor]}` : `lets a ${visitor} in`}`, () => {
        expect(redirectFor(path, visitor)).toBe(row[visitor])
      })

  it('no redirect leads to another redirect', () => {
    for (const path of Object.keys(routes))
      for (const visitor of visitors) {
        const to = redirectFor(path, visitor)
        if (to) expect(redirectFor(to, visitor)).toBeUndefined()
      }
  })
})

describe('R2: after a login', () => {
  it('each role has its landing screen', () => {
    expect(landing).toMatchObject({
      admin: '/admin',
      sender: '/send',
      approvedDriver: '/drive',
      driver: '/driver-pending',
    })
  })

  it('everybody may stay on their landing screen', () => {
    for (const visitor of visitors) expect(redirectFor(landing[visitor], visitor)).toBeUndefined()
  })
})

describe('R3: the links of the bars', () => {
  it('Home for all but senders', () => {
    const shown = visitors.filter((visitor) => tabsFor(visitor, true).includes('home'))
    expect(shown).toEqual(visitors.filter((visitor) => visitor !== 'sender'))
  })

  it('Send for all but a driver who is not approved', () => {
    const shown = visitors.filter((visitor) => tabsFor(visitor, true).includes('send'))
    expect(shown).toEqual(visitors.filter((visitor) => visitor !== 'driver'))
  })

  it('Drive for approved drivers only', () => {
    expect(visitors.filter((visitor) => tabsFor(visitor, true).includes('drive'))).toEqual([
      'approvedDriver',
    ])
  })

  it('Deliveries for whoever has any', () => {
    for (const visitor of visitors) {
      expect(tabsFor(visitor, true).includes('deliveries')).toBe(true)
      expect(tabsFor(visitor, false).includes('deliveries')).toBe(false)
    }
  })

  it('the logo leads senders to Send and everybody else to Home', () => {
    expect(visitors.filter((visitor) => brandPath(visitor) === '/send')).toEqual(['sender'])
  })

  it('no bars in the delivery room and the admin area', () => {
    expect(['/delivery/1', '/admin', '/admin/users'].map(hasBars)).toEqual([false, false, false])
    expect(['/', '/send', '/auth', '/profile', '/outbox'].every(hasBars)).toBe(true)
  })
})

describe('the kind of visitor', () => {
  const user = (role: Role, driverStatus?: User['driverStatus']): User => ({
    ID: '1',
    name: 'Ama',
    email: 'a@b.c',
    phone_number: '0244123456',
    Verified: true,
    role,
    driverStatus,
  })

  it('R4: a driver is approved by their status alone', () => {
    expect(visitorOf(user('driver', 'approved'))).toBe('approvedDriver')
    expect(visitorOf(user('driver', 'pending'))).toBe('driver')
    expect(visitorOf(user('driver', 'rejected'))).toBe('driver')
    expect(visitorOf(user('driver'))).toBe('driver')
  })

  it('everybody else is their role', () => {
    expect(visitorOf(undefined)).toBe('guest')
    for (const role of ['sender', 'admin', 'user'] as const)
      expect(visitorOf(user(role, 'approved'))).toBe(role)
  })
})
