/** A distance of zones as people read it: `about 3.5 km`, from ten on without decimals. */
export const kilometres = (km: number): string =>
  `about ${km < 10 ? Math.round(km * 10) / 10 : Math.round(km)} km`
