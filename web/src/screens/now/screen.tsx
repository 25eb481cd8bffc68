import { Screen } from '../../shell/screen.tsx'

export const NowScreen = () => <Screen title="Now">{null}</Screen>
