import { expect, test } from 'vitest'
import * as queries from '#store/queries/queries.ts'
import { filledDraft, jpeg } from '../../helpers/device/device.ts'
import { createPhone } from '../../helpers/device/phone.ts'
import { present } from '../../helpers/server/server.ts'
import { serverOfFile } from '../../sync/server-fixture.ts'

const { server, network } = serverOfFile()

const drawn = new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 0, 16, 7, 7, 7, 7]).buffer

/** Sends a request whose photo was kept by this release, or by the one before; gives what went up. */
async function sentBytes({ redraw, old }: { redraw?: () => Promise<ArrayBuffer>; old: boolean }) {
  let times = 0
  const phone = createPhone(network(), {
    redraw:
      redraw &&
      (async () => {
        times++
        return { bytes: await redraw(), type: 'image/jpeg' }
      }),
  })
  await phone.start()
  const sent: ArrayBuffer[] = []
  network().setConditions((request) => {
    if (!request.url.endsWith('/images/upload')) return 'fine'
    void request
      .clone()
      .formData()
      .then(async (form) => sent.push(await (form.get('file') as Blob).arrayBuffer()))
    return Response.json({ secure_url: server().hostedPhoto })
  })
  const draft = await filledDraft(phone.commands)
  if (old)
    await phone.db.photos.toCollection().modify((photo) => {
      delete photo.redrawn
    })
  await phone.commands.requestDelivery(draft, 'guest')
  await phone.settle()
  await expect.poll(() => sent.length).toBe(1)
  const kept = await queries.photo(phone.db, present(draft.photo))
  await phone.kill()
  return { bytes: [...new Uint8Array(present(sent[0]))], times, kept }
}

const bytesOf = (buffer: ArrayBuffer) => [...new Uint8Array(buffer)]

test('S11: a photo that an earlier release kept is drawn anew before it goes up', async () => {
  const { bytes, times, kept } = await sentBytes({ redraw: async () => drawn, old: true })
  expect(bytes).toEqual(bytesOf(drawn))
  expect(times).toBe(1)
  expect(kept).toMatchObject({ redrawn: true })
  expect(bytesOf(present(kept ?? undefined).bytes)).toEqual(bytesOf(drawn))
})

test('S11: one that cannot be drawn goes up as it is', async () => {
  const fails = () => Promise.reject(new Error('no canvas'))
  expect((await sentBytes({ redraw: fails, old: true })).bytes).toEqual(bytesOf(jpeg))
  expect((await sentBytes({ old: true })).bytes).toEqual(bytesOf(jpeg))
})

test('one of this release has been drawn already', async () => {
  const { bytes, times } = await sentBytes({ redraw: async () => drawn, old: false })
  expect(bytes).toEqual(bytesOf(jpeg))
  expect(times).toBe(0)
})
