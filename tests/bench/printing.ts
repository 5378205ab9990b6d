import { printed } from './peers/table.ts'

/** After everything has run, the table against the peers. */
export default function printing() {
  const began = Date.now()
  return () => {
    process.stdout.write(printed(began))
  }
}
