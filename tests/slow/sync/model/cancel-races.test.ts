import { cancelRaces } from '../../../sync/model/cancel-races.ts'

cancelRaces(120)
