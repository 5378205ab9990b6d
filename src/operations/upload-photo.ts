import * as z from 'zod/mini'
import { operation } from './operation.ts'

/** A photo goes to the image provider; what names it follows. */
export const uploadPhoto = operation({
  input: z.object({ photo: z.string() }),
  queue: { isUpload: true },
})
