import fc from 'fast-check'
import { expect, test } from 'vitest'
import { emptyDraft, validateDraft } from '#domain/deliveries/draft.ts'
import { hasUnseen, nameProblem } from '#domain/users/name.ts'

test.each([
  'Ama Serwaa Owusu',
  'Kofi Ɔkra Agyɛman',
  "N'Guessan Kouamé-Yao",
  'Soma Mensah',
  'Somad Teye',
  'Grace Office',
  'Agnes Care',
  'Security desk',
  'Front Office',
  'José Ángel',
  'Владимир Путников',
  '李小龍',
  'محمد',
  'Dr. Yaw Boateng Jr.',
  '👋 Esi',
])('R152: %s is a name', (name) => expect(nameProblem(name)).toBeUndefined())

test.each([
  'Soma',
  'SOMA',
  'Soma Support',
  'soma-support',
  'SomaSupport',
  'S o m a',
  'S.o.m.a Support',
  'Support',
  'Support Team',
  'Customer Support',
  'Admin',
  'Soma Admin Kumasi',
  'Team Soma',
  'Ѕоmа Support',
  'Ѕома Ѕuррогt',
  'Sɔma Help',
  'S0ma 5upport',
  'Ｓｏｍａ Ｓｕｐｐｏｒｔ',
  '𝕊𝕠𝕞𝕒 𝕊𝕦𝕡𝕡𝕠𝕣𝕥',
  'Ⓢⓞⓜⓐ Office',
  'Sömá Tëam',
  'ꜱᴏᴍᴀ ꜱᴜᴘᴘᴏʀᴛ',
])('R152: %s imitates the service', (name) =>
  expect(nameProblem(name)).toBe('This name looks like our own. Please use the name of a person.'),
)

test('R152: no name holds a character that nobody sees, wherever it stands', () => {
  const unseen = [
    '\u0000',
    '\t',
    '\n',
    '\u007f',
    '\u0085',
    '\u00ad',
    '\u034f',
    '\u061c',
    '\u115f',
    '\u17b4',
    '\u180e',
    '\u200b',
    '\u200d',
    '\u200e',
    '\u2028',
    '\u202a',
    '\u202e',
    '\u2060',
    '\u2066',
    '\u2800',
    '\u3164',
    '\ue000',
    '\ufe0f',
    '\ufeff',
    '\uffa0',
    '\ufff9',
    '\ud800',
    '\u{e0041}',
    '\u{f0000}',
    '\u0378',
  ]
  fc.assert(
    fc.property(
      fc.constantFrom(...unseen),
      fc.constantFrom('', 'Ama', 'Kofi Mensah'),
      fc.constantFrom('', 'x', ' Owusu'),
      (sign, before, after) => {
        expect(hasUnseen(before + sign + after)).toBe(true)
        expect(nameProblem(before + sign + after)).toMatch(/not seen/)
      },
    ),
    { seed: 152 },
  )
})

test('R152: the request form says so at the field', () => {
  const draft = { ...emptyDraft, senderName: 'Soma Support', recipientName: 'Esi\u202e' }
  const problems = validateDraft(draft, 'guest').filter(({ field }) => field.endsWith('Name'))
  expect(problems.map(({ field }) => field)).toEqual(['senderName', 'recipientName'])
})
