import { call } from '#contract/call.ts'
import type { Gives } from '#contract/endpoints.ts'
import { Unreachable } from '#contract/errors.ts'
import type { Tools } from './tools.ts'

export type ImageProvider = Gives<'config'>

/** Where photos go and what their addresses begin with: as kept, else as the server says now. */
export async function imageProvider(tools: Tools): Promise<ImageProvider> {
  const kept = await tools.db.meta.get('config')
  return kept ? (kept.value as ImageProvider) : askForProvider(tools)
}

/** What an earlier release kept does not name the preset of ID photos. */
export async function idUploadPreset(tools: Tools): Promise<string> {
  const kept = await imageProvider(tools)
  const { idUploadPreset, imageUploadPreset } = kept.idUploadPreset
    ? kept
    : await askForProvider(tools)
  return idUploadPreset ?? imageUploadPreset
}

async function askForProvider(tools: Tools): Promise<ImageProvider> {
  const { value: config } = await call(tools.transport, tools.base, 'config')
  if (!config) throw new Unreachable('Not our answer')
  await tools.db.meta.put({ key: 'config', value: config })
  return config
}
