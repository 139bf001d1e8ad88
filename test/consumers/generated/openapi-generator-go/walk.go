// Does the walk of README.md with a client that openapi-generator made from /openapi-3.1.json: walk URL TOKEN.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"time"

	petstore "petstore/client"
)

func clientAt(url, token string) *petstore.APIClient {
	config := petstore.NewConfiguration()
	config.Servers = petstore.ServerConfigurations{{URL: url}}
	if token != "" {
		config.AddDefaultHeader("Authorization", "Bearer "+token)
	}
	return petstore.NewAPIClient(config)
}

func must[T any](value T, err error) T {
	if err != nil {
		detail := ""
		if refused, ok := err.(*petstore.GenericOpenAPIError); ok {
			detail = string(refused.Body())
		}
		fmt.Fprintln(os.Stderr, err, detail)
		os.Exit(1)
	}
	return value
}

func main() {
	ctx := context.Background()
	anyone, staff := clientAt(os.Args[1], ""), clientAt(os.Args[1], os.Args[2])

	request := petstore.NewPetRequest("Biscuit", "DOG", 14)
	request.SetPrice("250.00")
	request.SetCurrency("USD")
	pet, _, err := staff.PetsAPI.CreatePet(ctx).PetRequest(*request).Execute()
	must(pet, err)
	pets, _, err := anyone.PetsAPI.ListPets(ctx).Species("DOG").Execute()
	must(pets, err)
	order, _, err := anyone.OrdersAPI.CreateOrder(ctx).OrderRequest(*petstore.NewOrderRequest(pet.Id)).Execute()
	must(order, err)
	card := petstore.NewBankCard("card", "4242424242424242", 12, 2031)
	payment := petstore.NewPaymentRequest(petstore.BankCardAsPaymentSource(card), "250.00", "USD")
	paid, _, err := anyone.PaymentsAPI.CreateOrderPayment(ctx, order.Id).PaymentRequest(*payment).Execute()
	must(paid, err)
	for until := time.Now().Add(30 * time.Second); order.Status != "approved" && time.Now().Before(until); {
		order, _, err = anyone.OrdersAPI.GetOrder(ctx, order.Id).Execute()
		must(order, err)
	}

	names := []string{}
	for _, listed := range pets.Data {
		names = append(names, listed.Name)
	}
	result := map[string]any{"listed": names, "last4": paid.Source.MaskedBankCard.Last4, "status": order.Status}
	fmt.Println(string(must(json.Marshal(result))))
}
