import { type FormEvent, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { readSupportCode, shownSupportCode } from '#domain/support-code.ts'
import { adminDevice, buildNumber, type Device } from '#store/queries/admin/admin.ts'
import { Button } from '../../../components/forms/button.tsx'
import { TextField } from '../../../components/forms/fields.tsx'
import { PageLayout } from '../../../components/page/page.tsx'
import { Loading } from '../../../components/page/skeleton.tsx'
import { Empty } from '../../../components/text/empty.tsx'
import { Facts } from '../../../components/text/facts.tsx'
import { ListUnavailable } from '../../../components/text/list-unavailable.tsx'
import { isUnavailable, useListState } from '../../../hooks/lists/use-list-state.ts'
import { useNow } from '../../../hooks/time/use-now.ts'
import { useOwn } from '../../../hooks/use-live.ts'
import { longDate, timeAgo } from '../../../texts/time.ts'

/** What a phone last reported, found by the support code that its owner reads out (R92). */
export function Support() {
  const [params, setParams] = useSearchParams()
  const asked = params.get('code') ?? ''
  const code = readSupportCode(asked)
  const [text, setText] = useState(asked)
  const [isWrong, setIsWrong] = useState(asked !== '' && !code)
  const search = (event: FormEvent) => {
    event.preventDefault()
    const typed = readSupportCode(text.trim())
    setIsWrong(!typed)
    if (typed) setParams({ code: shownSupportCode(typed) })
  }
  return (
    <PageLayout
      title="Support"
      lead="Ask for the support code: Outbox, then “Details for support”."
    >
      <form onSubmit={search} className="card flex flex-wrap items-start gap-3">
        <div className="min-w-[min(100%,16rem)] flex-1">
          <TextField
            label="Support code"
            placeholder="K7QX-2MPD"
            autoCapitalize="characters"
            autoComplete="off"
            spellCheck={false}
            maxLength={20}
            value={text}
            error={
              isWrong ? 'A support code is 8 letters and digits, such as K7QX-2MPD.' : undefined
            }
            onChange={(event) => {
              setText(event.target.value)
              setIsWrong(false)
            }}
          />
        </div>
        <Button type="submit" icon="search" className="sm:mt-6.5">
          Look up
        </Button>
      </form>
      {code && <Found key={code} code={code} />}
    </PageLayout>
  )
}

function Found({ code }: { code: string }) {
  const list = useListState({ kind: 'adminDevice', id: code })
  const device = useOwn(adminDevice, code)
  if (list.is === 'refused')
    return (
      <Empty icon="search" title="No phone with this code">
        Ask for it once more. A phone that was never online has none.
      </Empty>
    )
  if (device) return <Report device={device} />
  if (isUnavailable(list))
    return (
      <ListUnavailable
        list={list}
        icon="search"
        what="This phone was never looked up here. Its report comes"
      />
    )
  return <Loading rows={1} label="Loading the report" />
}

function Report({ device }: { device: Device }) {
  const now = useNow(30_000)
  const { code, user, queueLength, clientVersion } = device
  return (
    <section className="card" aria-label={`Phone ${shownSupportCode(code)}`}>
      <Facts
        of={[
          ['Support code', <span key="code">{shownSupportCode(code)}</span>],
          [
            'Last contact',
            `${timeAgo(Date.parse(device.lastContactAt), now)} (${longDate(device.lastContactAt)})`,
          ],
          ['Waiting on the phone', queueLength === 1 ? '1 item' : `${queueLength} items`],
          ['App version', versionText(clientVersion)],
          [
            'Last logged in there',
            user ? `${user.Name}, ${user.Email}` : 'Nobody: used as a guest',
          ],
        ]}
      />
    </section>
  )
}

function versionText(version: number | undefined): string {
  if (version === undefined) return 'Not reported'
  return version < buildNumber ? `${version}, the newest is ${buildNumber}` : `${version}`
}
