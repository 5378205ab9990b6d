import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

type Progress = { answers: number; seen: string; since: number }

/** Bytes that wait in libuv; the one number that moves while a large piece goes out over a slow line. */
type WithHandle = { _handle?: { writeQueueSize?: number } | null }

/**
 * Closes connections whose client takes nothing of its answer for so many milliseconds. Node's own
 * time-out does not: a byte that the client sends begins it anew.
 */
export function stalledReaders(timeout: number, interval: number) {
  const answering = new Map<Socket, Progress>()
  const timer = setInterval(() => {
    const now = Date.now()
    for (const [socket, progress] of answering) {
      // An answer that waited behind another one of its connection never says that it was closed.
      if (socket.destroyed) {
        answering.delete(socket)
        continue
      }
      const queued = (socket as WithHandle)._handle?.writeQueueSize ?? 0
      const seen = `${socket.bytesWritten} ${socket.writableLength} ${queued}`
      const waits = socket.writableLength > 0 || queued > 0
      if (!waits || seen !== progress.seen) Object.assign(progress, { seen, since: now })
      else if (now - progress.since > timeout) socket.destroy()
    }
  }, interval)
  timer.unref()
  return {
    watch(socket: Socket, answer: ServerResponse) {
      if (answer.destroyed || socket.destroyed) return
      // A connection may ask again before it was answered.
      const progress = answering.get(socket) ?? { answers: 0, seen: '', since: Date.now() }
      progress.answers++
      answering.set(socket, progress)
      answer.once('close', () => {
        progress.answers--
        if (progress.answers === 0) answering.delete(socket)
      })
    },
    end: () => clearInterval(timer),
  }
}
