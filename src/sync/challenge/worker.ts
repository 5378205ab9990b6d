/// <reference lib="webworker" />
import { work } from './work.ts'

/* A Web Worker for one challenge: the page goes on drawing. It responds with the solution, or with nothing. */
self.onmessage = ({ data }: MessageEvent<object>) =>
  work(data).then(
    (solution) => self.postMessage(solution),
    () => self.postMessage(undefined),
  )
