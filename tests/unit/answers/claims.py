"""What passages say, and what texts in another language may and may not claim out of them."""

CLAIMS: tuple[tuple[str, str, tuple[str, ...], tuple[str, ...]], ...] = (
    (
        "Open daily 8am–10pm. A 5-minute walk from the station (line 3).",
        "es",
        ("Abierto de 8:00 a 22:00", "a 5 minutos a pie", "cinco minutos", "línea 3", "de 8 a. m. a 10 p. m."),
        ("a 15 minutos", "de 8:00 a 20:00", "línea 4", "a 5 horas"),
    ),
    (
        "Desde 25€/noche, IVA 21 % incluido. Valoración: 4,5/5 (1.200 opiniones).",
        "en",
        ("From €25 a night", "21% VAT included", "Rated 4.5/5", "1,200 reviews", "from 25 euros per night"),
        ("From €52", "12% VAT", "Rated 4.8/5", "2,100 reviews", "1.2 reviews"),
    ),
    (
        "Horario: 10:00–14:00 y 17:00–20:30 h, de martes a domingo.",
        "en",
        ("Open 10:00 to 14:00 and 17:00 to 20:30", "10 am", "Tuesday to Sunday", "Wednesdays", "8:30 pm"),
        ("10:00 to 15:00", "Mondays", "9:30 pm"),
    ),
    (
        "Temporada alta: del 15 de junio al 15 de septiembre. Del 1 al 15 de agosto, 120 €.",
        "en",
        ("15 June to 15 September", "June 15", "from 1 to 15 August", "August 1", "120 euros in August"),
        ("16 June", "15 July", "August 2", "Sept 16"),
    ),
    (
        "30-day money-back guarantee. Battery 5,000 mAh, 3 GB of RAM, weighs 1.5 kg.",
        "es",
        ("Garantía de devolución del dinero de 30 días", "5.000 mAh", "3 GB de RAM", "pesa 1,5 kg", "1.5 kg"),
        ("Garantía de 60 días", "500 mAh", "4 GB", "15 kg", "3 MB"),
    ),
    (
        "Fundada en 1987, con 45 empleados y 3 tiendas.",
        "en",
        ("Since 1987", "45 employees", "three shops", "3 shops and 45 people"),
        ("Since 1978", "54 employees", "45 shops and 87 employees", "4 shops"),
    ),
    (
        "Tickets cost between €10 and €20; children under 12 go free; seniors (65+) pay half.",
        "es",
        ("entre 10 y 20 €", "niños menores de 12 años gratis", "10–20 €", "mayores de 65"),
        ("entre 10 y 25 €", "menores de 14 años", "mayores de 60", "15 €"),
    ),
    (
        "The warranty lasts two years. Free delivery over 50 $.",
        "es",
        ("La garantía dura 2 años", "dos años de garantía", "envío gratis a partir de 50 $", "a partir de 50 dólares"),
        ("La garantía dura 3 años", "a partir de 50 €", "dos meses", "a partir de 60 $"),
    ),
    (
        "Prix : 1 250,00 € TTC ; 10 % de remise dès 3 nuits ; ouvert du 1er avril au 31 octobre.",
        "en",
        ("1,250 €", "€1,250.00", "10% discount", "from 3 nights", "April 1", "31 October", "1 April to 31 October"),
        ("€1.25", "125 €", "12%", "4 nights", "2 April", "30 October"),
    ),
    (
        "Wi-Fi 6, USB-C, ISO 9001. Version 2.10.3 fixes CVE-2024-1234.",
        "es",
        ("Wi-Fi 6", "ISO 9001", "versión 2.10.3", "CVE-2024-1234"),
        ("Wi-Fi 7", "ISO 9002", "versión 2.10.4", "CVE-2024-1235"),
    ),
    (
        "La habitación mide 20 m² y admite hasta 4 personas (2 adultos y 2 niños).",
        "en",
        ("20 m²", "20 square metres", "up to 4 people", "2 adults and 2 children", "four guests"),
        ("25 m²", "5 people", "3 adults", "4 m²"),
    ),
    (
        "Der Kurs dauert 1,5 Stunden, kostet 19,90 € und beginnt um 18 Uhr am 3. Mai 2026.",
        "en",
        ("1.5 hours", "€19.90", "at 18:00", "6 pm", "3 May 2026", "May 3"),
        ("15 hours", "€19", "at 19:00", "5 pm", "4 May 2026", "3 June"),
    ),
    (
        "Population: 3.2 million; area 505,990 km²; GDP $1.6 trillion; growth -0.5 %.",
        "es",
        ("3,2 millones", "505.990 km²", "-0,5 %"),
        ("3,5 millones", "505 km²", "0,5 %", "2 millones"),
    ),
    (
        "Pets: 1 per room, 10 € per stay. Check-out before 11.",
        "fr",
        ("10 € par séjour", "avant 11 h", "un animal par chambre"),
        ("15 €", "avant 12 h", "10 %"),
    ),
)
"""Passage, language of the texts, texts that stand in it, texts that do not."""
