/// <reference lib="webworker" />
import type { Picture } from './luma.ts'
import { readFrame } from './read-frame.ts'

/* The worker that reads frames, so that the camera's picture and the buttons stay fluid. */

declare const self: DedicatedWorkerGlobalScope

self.onmessage = ({ data }: MessageEvent<Picture>) => self.postMessage(readFrame(data))
