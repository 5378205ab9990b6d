import { useState } from 'react'
import type { User } from '#domain/users/user.ts'
import { syncStatus } from '#store/queries/queries.ts'
import { copyText } from '../../../browser/device/clipboard.ts'
import { Button } from '../../../components/forms/button.tsx'
import { Tag } from '../../../components/text/tag.tsx'
import { Verbatim } from '../../../components/text/verbatim.tsx'
import { useLive } from '../../../hooks/use-live.ts'
import { useSoma } from '../../../hooks/use-soma.ts'
import { toast } from '../../../toasts.ts'
import { PasswordForm } from './password-form.tsx'
import { SetUp } from './set-up.tsx'

type Step = { is: 'shown' | 'begin' | 'off' } | { is: 'secret'; secret: string; link: string }

/** A colleague's second step at login: set up, its recovery codes, and turned off (R213, R214). */
export default function SecondStep({ user }: { user: User }) {
  const { session } = useSoma()
  const [step, setStep] = useState<Step>({ is: 'shown' })
  // Shown once: no server gives them again.
  const [codes, setCodes] = useState<string[]>()
  const isOffline = useLive(syncStatus)?.reachable === false
  const close = () => setStep({ is: 'shown' })
  const begin = async ({ password }: { password: string }) => {
    const made = await session.secondFactor('startSecondFactor', { body: { password } })
    setStep({ is: 'secret', secret: made.secret, link: made.link })
  }
  const turnOff = async (body: { password: string; code: string }) => {
    await session.secondFactor('endSecondFactor', { body })
    close()
    toast({ title: 'Second step off', text: 'You log in with your password alone.' })
  }
  return (
    <section className="card grid gap-3" aria-labelledby="second-step">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 id="second-step">Second step at login</h2>
        <Tag tone={user.secondFactor ? undefined : 'plain'}>{user.secondFactor ? 'On' : 'Off'}</Tag>
      </div>
      {codes ? (
        <RecoveryCodes codes={codes} onClose={() => setCodes(undefined)} />
      ) : step.is === 'secret' && !user.secondFactor ? (
        <SetUp {...step} onDone={setCodes} onClose={close} />
      ) : step.is === 'begin' && !user.secondFactor ? (
        <PasswordForm
          key="begin"
          label="Set up the second step"
          email={user.email}
          yes="Continue"
          failed="Not set up"
          onYes={begin}
          onClose={close}
        />
      ) : step.is === 'off' && user.secondFactor ? (
        <PasswordForm
          key="off"
          label="Turn off the second step"
          email={user.email}
          hasCode
          yes="Turn off"
          look="red"
          failed="Not turned off"
          onYes={turnOff}
          onClose={close}
        />
      ) : (
        <>
          <p className="text-sm">
            {user.secondFactor
              ? 'A login asks for a code of your authenticator app.'
              : 'Whoever learns your password still cannot log in: a login then asks for a code of an authenticator app on your phone.'}
          </p>
          <Button
            look="line"
            className="justify-self-start"
            onClick={() => setStep({ is: user.secondFactor ? 'off' : 'begin' })}
          >
            {user.secondFactor ? 'Turn off' : 'Set up'}
          </Button>
        </>
      )}
      {isOffline && <p className="text-sm text-soft">Needs a connection.</p>}
    </section>
  )
}

function RecoveryCodes({ codes, onClose }: { codes: string[]; onClose: () => void }) {
  return (
    <>
      <p className="text-sm">
        It is on. Keep these recovery codes where you do not keep your phone: each logs you in once
        without the app. They are not shown again.
      </p>
      <ul aria-label="Recovery codes" className="grid gap-1 rounded-control bg-paper p-3 font-mono">
        {codes.map((code) => (
          <li key={code}>
            <Verbatim>{code}</Verbatim>
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2 *:flex-1">
        <Button icon="copy" onClick={() => copyText(codes.join('\n'), 'The recovery codes')}>
          Copy
        </Button>
        <Button look="line" onClick={onClose}>
          Done
        </Button>
      </div>
    </>
  )
}
