import { printed } from './peers/table.ts'

/** Prints the table against the peers after all benchmarks. */
export default function printing() {
  const began = Date.now()
  return () => {
    process.stdout.write(printed(began))
  }
}
