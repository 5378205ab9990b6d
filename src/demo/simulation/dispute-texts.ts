import type { DisputeType } from '#domain/deliveries/dispute.ts'

type DisputeText = { issue: string; resolution: string }

/** What goes wrong with a delivery and how it was resolved, by who reported it. */
export const disputeTexts: Record<DisputeType, DisputeText[]> = {
  sender_issue: [
    {
      issue: 'One corner of the box was crushed when it arrived, and a plate inside is broken.',
      resolution: 'Driver saw the photo and agreed. He pays the plate, 40 cedis by mobile money.',
    },
    {
      issue: 'The driver asked my mother for 20 cedis more at the door because of the traffic.',
      resolution: 'The offer is the whole price. The driver was warned and gave the 20 cedis back.',
    },
    {
      issue: 'It came three hours later than we said, and the food was cold.',
      resolution: 'Spintex Road was closed. Both agreed to leave it at an apology.',
    },
  ],
  driver_issue: [
    {
      issue: 'Nobody answered the phone at the drop-off, I waited forty minutes at the junction.',
      resolution: 'Reached the recipient on a second number, which the sender will give next time.',
    },
    {
      issue: 'The box was much bigger than in the photo, it did not fit on my motorbike.',
      resolution: 'The sender will choose Large Box next time. The driver keeps the offer.',
    },
    {
      issue: 'The recipient gave me a code from another delivery, it took five calls to sort out.',
      resolution: 'The sender sent the right code again. Delivered the same evening.',
    },
  ],
}
